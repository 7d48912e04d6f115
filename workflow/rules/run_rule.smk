# The rule that every stage but training is, `with` its own files, resources and command; log and
# benchmark are named after `job`. Training writes its rules out: its params may not change, or an
# update of sixmax would train finished runs anew.


pathvars:
    logs=f"{RUN}/logs",
    benchmarks=f"{RUN}/benchmarks",


rule run_rule:
    log:
        "<logs>/<job>.log",
    benchmark:
        "<benchmarks>/<job>.tsv"
    pathvars:
        job="run_rule",
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        command="--help",
    shell:
        """
        SIXMAX_THREADS={threads} sixmax {params.command} 2>&1 | tee_job {log:q}
        """
