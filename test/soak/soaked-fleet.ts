/** `flotilla up` in a process of its own, with what the soak measures of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const command = resolve(import.meta.dirname, '../../apps/flotilla/bin/flotilla');
const preloaded = join(import.meta.dirname, 'report-process.mjs');

/** Of the process, after a garbage collection if wanted. Delays are those since the last report. */
export interface ProcessReport {
  readonly heapMib: number;
  readonly rssMib: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Timers, files and the like, without sockets. */
  readonly handles: readonly string[];
  readonly openFiles: number;
}

export interface SoakedFleet {
  readonly kubeconfig: string;
  readonly report: (collects: boolean) => Promise<ProcessReport>;
  /** Sends SIGINT, as Ctrl-C does. */
  readonly interrupt: () => Promise<{ readonly code: number | null; readonly ms: number }>;
  /** The first lines that it logged at level error. */
  readonly errors: () => readonly string[];
  readonly kill: () => void;
}

/** A controller whose write a webhook refuses logs that as an error. */
const expectedError = 'denied the request';
const maxErrors = 10;
const maxErrorLength = 500;

export async function startSoakedFleet(members: number, directory: string): Promise<SoakedFleet> {
  const args = ['--members', String(members), '--port', '0', '--data-dir', directory, '--log-level', 'error'];
  const child = spawn(command, ['up', ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: `--import=${preloaded}` },
  });
  const errors: string[] = [];
  if (child.stderr) {
    createInterface(child.stderr).on('line', (line) => {
      if (errors.length < maxErrors && !line.includes(expectedError)) errors.push(line.slice(0, maxErrorLength));
    });
  }
  await readyLine(child);
  return {
    kubeconfig: join(directory, 'kubeconfig'),
    report: async (collects) => {
      child.send({ collects });
      const [report] = (await once(child, 'message')) as [Omit<ProcessReport, 'openFiles'>];
      return { ...report, openFiles: readdirSync(`/proc/${child.pid}/fd`).length };
    },
    interrupt: async () => {
      const begin = performance.now();
      const ended = once(child, 'exit') as Promise<[number | null]>;
      child.kill('SIGINT');
      const [code] = await ended;
      return { code, ms: performance.now() - begin };
    },
    errors: () => errors,
    kill: () => void child.kill('SIGKILL'),
  };
}

function readyLine(child: ChildProcess): Promise<void> {
  return new Promise((ready, reject) => {
    let output = '';
    child.stdout?.on('data', (text) => {
      output += String(text);
      if (output.includes('Ctrl-C stops it.')) ready();
    });
    child.once('exit', () => reject(new Error(`the fleet did not start: ${output}`)));
  });
}
