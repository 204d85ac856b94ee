import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Answer, LoadResult, Target, Workload } from '../load/workload.ts';

/** The load generator's process, connected to one server. */
export interface LoadProcess {
  readonly run: (workload: Workload) => Promise<LoadResult>;
  readonly stop: () => void;
}

export async function startLoad(target: Target): Promise<LoadProcess> {
  const child = fork(join(import.meta.dirname, '../load/generator.ts'), [JSON.stringify(target)]);
  await once(child, 'message');
  const run = async (workload: Workload): Promise<LoadResult> => {
    child.send(workload);
    const [answer] = (await once(child, 'message')) as [Answer];
    if ('error' in answer) throw new Error(`${workload.work}: ${answer.error}`);
    return answer.result;
  };
  return { run, stop: () => child.disconnect() };
}
