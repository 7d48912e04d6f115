"""Commands of the stages that make a run, in the order of the pipeline."""
