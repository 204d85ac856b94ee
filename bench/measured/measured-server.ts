import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { loopDelayPath } from '@flotilla/fleet';
import type { Target } from '../load/workload.ts';

/** A server in a process of its own. */
export interface MeasuredServer {
  readonly pid: number;
  readonly target: Target;
  /** From starting the process until the server was ready. */
  readonly readyMs: number;
  /** 99th percentile of the event loop's delay since the last request. */
  readonly loopDelayMs: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

export const command = resolve(import.meta.dirname, '../../apps/flotilla/bin/flotilla');

/** A server that the command started, with the kubeconfig that it wrote. */
export interface FlotillaServer extends MeasuredServer {
  readonly kubeconfig: string;
}

/** Starts `flotilla apiserver` on the durable store. `environment` is for compile caches and profilers. */
export function startFlotilla(directory: string, environment: NodeJS.ProcessEnv = {}): Promise<FlotillaServer> {
  return start(['apiserver', '--data-dir', directory], directory, environment);
}

/** Starts `flotilla hub` on the durable store. */
export function startHub(directory: string): Promise<FlotillaServer> {
  return start(['hub', '--data-dir', directory], directory);
}

/** Starts the cluster of a member, in memory. The kubeconfig is written beside the directory. */
export function startCluster(directory: string): Promise<FlotillaServer> {
  return start(['apiserver', '--memory'], directory);
}

async function start(
  args: readonly string[],
  directory: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<FlotillaServer> {
  const kubeconfig = join(directory, '..', `kubeconfig-${process.pid}`);
  rmSync(kubeconfig, { force: true });
  const begin = performance.now();
  const child = spawn(command, [...args, '--port', '0', '--write-kubeconfig', kubeconfig], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment, FLOTILLA_REPORT_LOOP_DELAY: '1' },
  });
  await readyLine(child);
  const readyMs = performance.now() - begin;
  const target = targetOf(readFileSync(kubeconfig, 'utf8'));
  const loopDelayMs = (): Promise<number> => requestLoopDelay(target);
  await loopDelayMs();
  return { pid: child.pid ?? 0, target, kubeconfig, readyMs, loopDelayMs, stop: () => stopProcess(child) };
}

function readyLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (text) => {
      output += String(text);
      if (output.includes('Ready at')) resolve();
    });
    child.once('exit', () => reject(new Error(`the server did not start: ${output}`)));
  });
}

interface KubeconfigFile {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

function targetOf(kubeconfig: string): Target {
  const { clusters, users } = JSON.parse(kubeconfig) as KubeconfigFile;
  const pem = (base64 = ''): string => Buffer.from(base64, 'base64').toString();
  return {
    url: clusters[0]?.cluster['server'] ?? '',
    authority: pem(clusters[0]?.cluster['certificate-authority-data']),
    certificate: pem(users[0]?.user['client-certificate-data']),
    key: pem(users[0]?.user['client-key-data']),
  };
}

async function requestLoopDelay({ url, authority, certificate, key }: Target): Promise<number> {
  const sent = request(`${url}${loopDelayPath}`, { ca: authority, cert: certificate, key, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { p99Ms } = (await json(response)) as { p99Ms: number };
  return p99Ms;
}

/** Starts the server of `floor/`. */
export async function startFloor(directory: string): Promise<MeasuredServer> {
  const begin = performance.now();
  const child = fork(join(import.meta.dirname, '../floor/server.ts'), [directory]);
  const [target] = (await once(child, 'message')) as [Target];
  const loopDelayMs = async (): Promise<number> => {
    child.send('loop delay');
    const [{ p99Ms }] = (await once(child, 'message')) as [{ p99Ms: number }];
    return p99Ms;
  };
  return {
    pid: child.pid ?? 0,
    target,
    readyMs: performance.now() - begin,
    loopDelayMs,
    stop: () => stopProcess(child),
  };
}

/** Sends SIGTERM, and waits for the exit. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
