import { HeavyThread, type HeavyJob } from './heavy-thread.ts';

/** Whatever its size, a request runs in the worker only if this thread gives it up. */
export class CountingThread extends HeavyThread {
  jobs: string[] = [];

  constructor() {
    super({ heavyBytes: Infinity });
  }

  override run(job: HeavyJob): ReturnType<HeavyThread['run']> {
    const { method, part } = job.job;
    this.jobs.push(part ? part.kind : method);
    return super.run(job);
  }
}
