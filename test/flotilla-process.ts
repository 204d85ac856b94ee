/** Starts `flotilla` through its launcher, as users do, and stops it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const launcher = resolve(import.meta.dirname, '../apps/flotilla/bin/flotilla');

/** An administrator's access to a server, PEM. */
export interface Access {
  readonly port: number;
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface FlotillaProcess extends Access {
  readonly child: ChildProcess;
  readonly kubeconfig: string;
  readonly stderr: () => string;
  /** Sends a signal and waits until the process has ended. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>;
}

interface StartOptions {
  /** What to run instead of the launcher itself, for instance a link to it. */
  readonly command?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Where fleets of this test process record themselves: tests see neither those of others nor those of the user. */
const stateHome = mkdtempSync(join(tmpdir(), 'flotilla-test-state-'));
process.on('exit', () => rmSync(stateHome, { recursive: true, force: true }));

/** A temporary directory, deleted on dispose. */
export class Scratch implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'flotilla-test-'));

  file(name: string): string {
    return join(this.path, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Runs a command until it ends. */
export async function runFlotilla(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  const { child, ended } = launch(args, options);
  const kill = setTimeout(() => child.kill('SIGKILL'), 20_000);
  return ended.finally(() => clearTimeout(kill));
}

/** Starts an API server on any free port; resolves when it is ready. */
export async function startFlotilla(
  args: readonly string[],
  kubeconfig: string,
  options: StartOptions = {},
): Promise<FlotillaProcess> {
  const all = ['apiserver', '--port', '0', '--write-kubeconfig', kubeconfig, ...args];
  return { ...(await startCommand(all, 'Ready at ', options)), kubeconfig, ...accessIn(kubeconfig) };
}

/** Starts a command that runs until it is stopped. Resolves when it has printed `text`. */
export async function startCommand(
  args: readonly string[],
  text: string,
  options: StartOptions = {},
): Promise<Pick<FlotillaProcess, 'child' | 'stderr' | 'stop'>> {
  const { child, ended, output } = launch(args, options);
  await Promise.race([
    output.waitFor(text),
    ended.then(({ code, stderr }) => {
      throw new Error(`flotilla ended with ${code} before it was ready: ${stderr}`);
    }),
  ]);
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> => {
    child.kill(signal);
    // A server that does not stop fails its test, but must not block the others.
    const kill = setTimeout(() => child.kill('SIGKILL'), 5000);
    return ended.finally(() => clearTimeout(kill));
  };
  return { child, stop, stderr: () => output.stderr };
}

/** The output of a process so far. */
class Output {
  stdout = '';
  stderr = '';
  #listener: () => void = () => undefined;

  constructor(child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#listener();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  waitFor(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#listener = (): void => {
        if (this.stdout.includes(text)) resolve();
      };
      this.#listener();
    });
  }
}

function launch(
  args: readonly string[],
  { command = launcher, cwd, env }: StartOptions,
): { child: ChildProcess; ended: Promise<Ended>; output: Output } {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
    env: { XDG_STATE_HOME: stateHome, ...(env ?? { ...process.env, XDG_STATE_HOME: stateHome }) },
  });
  const output = new Output(child);
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout: output.stdout,
    stderr: output.stderr,
  }));
  return { child, ended, output };
}

interface KubeconfigFile {
  readonly clusters: { readonly name: string; readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: { readonly name: string; readonly user: Readonly<Record<string, string>> }[];
}

/** Reads the server's entries from a kubeconfig that it wrote as JSON. */
function accessIn(kubeconfig: string): Access {
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8')) as KubeconfigFile;
  const cluster = clusters.find(({ name }) => name === 'flotilla')?.cluster ?? {};
  const user = users.find(({ name }) => name === 'flotilla')?.user ?? {};
  const pem = (text = ''): string => Buffer.from(text, 'base64').toString('utf8');
  return {
    port: Number(new URL(cluster['server'] ?? '').port),
    authority: pem(cluster['certificate-authority-data']),
    certificate: pem(user['client-certificate-data']),
    key: pem(user['client-key-data']),
  };
}
