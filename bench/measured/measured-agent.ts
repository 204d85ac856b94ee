/** `flotilla agent` in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.ts';
import { command, stopProcess } from './measured-server.ts';

export interface AgentAccess {
  readonly name: string;
  /** Files. */
  readonly hubKubeconfig: string;
  readonly memberKubeconfig: string;
}

export interface MeasuredAgent {
  readonly pid: number;
  /** Rejects if the agent exits before `stop`. */
  readonly failed: Promise<never>;
  readonly loopDelay: () => Promise<LoopDelay>;
  readonly stop: () => Promise<void>;
}

/** Of the event loop, since the last request. */
export interface LoopDelay {
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Through the launcher, or the bundle with a plain `node`, without the launcher's flags. */
export type Launch = 'launcher' | 'plain node';

export async function startAgent(access: AgentAccess, launch: Launch = 'launcher'): Promise<MeasuredAgent> {
  const { name, hubKubeconfig, memberKubeconfig } = access;
  const [program, ...first] = launch === 'launcher' ? [command] : [process.execPath, join(await bundle(), 'main.mjs')];
  const flags = ['--name', name, '--hub-kubeconfig', hubKubeconfig, '--member-kubeconfig', memberKubeconfig];
  const child = spawn(program ?? '', [...first, 'agent', ...flags], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: `--import=${join(import.meta.dirname, 'report-loop-delay.mjs')}` },
  });
  let isStopping = false;
  const failed = once(child, 'exit').then(([code]) => {
    if (!isStopping) throw new Error(`the agent ended with ${String(code)}`);
    return new Promise<never>(() => undefined);
  });
  failed.catch(() => undefined);
  const loopDelay = async (): Promise<LoopDelay> => {
    child.send('loop delay');
    const [delay] = (await once(child, 'message')) as [LoopDelay];
    return delay;
  };
  const stop = (): Promise<void> => {
    isStopping = true;
    return stopProcess(child);
  };
  return { pid: child.pid ?? 0, failed, loopDelay, stop };
}
