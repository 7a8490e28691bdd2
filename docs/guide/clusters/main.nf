// Runs a study in shards, with one task each, and then the report. For Nextflow 23 and later, DSL 2:
//   nextflow run main.nf --study large.yaml --shards 4
// Nextflow repeats a failed task in a new folder, so a stopped shard loses its finished trials. To keep them on a
// shared file system, replace `--out shard-${k}` with `--out $launchDir/shards/${k}` and add
// `&& cp -R $launchDir/shards/${k} shard-${k}` at the end of the script.
params.shards = 4

process shard {
    input: tuple val(k), path(study)
    output: path "shard-${k}"
    script: "copse run ${study} --out shard-${k} --shard ${k}/${params.shards} -j ${task.cpus}"
}

process report {
    publishDir 'results', mode: 'copy'
    input: path shards
    output: path 'all'
    script: "mkdir all && for s in ${shards}; do cp -R \$s/. all; done && copse report all"
}

workflow {
    jobs = Channel.of(1..params.shards).combine(Channel.fromPath(params.study))
    report(shard(jobs).collect())
}
