/** Programs that know how to log in somewhere (client.authentication.k8s.io): asked on the environment, answering on stdout. */
import { spawn } from 'node:child_process';
import { decodeUtf8, stringifyJson } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { credentialIn, questionFor, type AskedCluster } from './exec-credential.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import type { ExecEntry } from './kubeconfig.ts';
import type { Environment } from './load-kubeconfig.ts';
import type { LoadedIdentity } from './rotating-credentials.ts';

interface PluginSurroundings extends AskedCluster {
  readonly environment: Environment;
  readonly clock: Clock;
}

/** Nobody can type anything here, so a program that takes longer waits in vain. */
const maxRunMs = 60_000;
const maxOutputBytes = 1024 * 1024;

export async function runExecPlugin(exec: ExecEntry, surroundings: PluginSurroundings): Promise<LoadedIdentity> {
  const output = await outputOf(exec, surroundings);
  return credentialIn(decodeUtf8(output), exec);
}

function outputOf(exec: ExecEntry, surroundings: PluginSurroundings): Promise<Uint8Array> {
  const { command, args, env } = exec;
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown): void =>
      reject(new KubeconfigError(`the exec plugin ${command} ${why}`, { cause }));
    const child = spawn(command, args, {
      env: {
        ...surroundings.environment,
        ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: stringifyJson(questionFor(exec, surroundings)),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const cancel = surroundings.clock.after(maxRunMs, () => {
      fail(`did not end within ${maxRunMs / 1000} s`);
      child.kill('SIGKILL');
    });
    const [output, complaints] = [collected(child.stdout), collected(child.stderr)];
    child.once('error', (error: NodeJS.ErrnoException) => {
      cancel();
      fail(error.code === 'ENOENT' ? notFound(exec) : error.message, error);
    });
    child.once('close', (code, signal) => {
      cancel();
      if (code === 0) return resolve(Buffer.concat(output));
      const words = decodeUtf8(Buffer.concat(complaints)).trim();
      fail(`ended with ${signal ?? `code ${code}`}${words === '' ? '' : `: ${words}`}`);
    });
  });
}

function collected(stream: NodeJS.ReadableStream): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes <= maxOutputBytes) chunks.push(chunk);
  });
  return chunks;
}

function notFound({ installHint }: ExecEntry): string {
  return installHint === '' ? 'is not installed' : `is not installed\n\n${installHint}`;
}
