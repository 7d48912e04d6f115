"""Around the pipeline: tables of the papers, games with known answers, a run improved."""
