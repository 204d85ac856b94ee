/** Programs that know how to log in somewhere (client.authentication.k8s.io): asked on the environment, answering on stdout. */
import { spawn } from 'node:child_process';
import {
  decodeUtf8,
  isJsonObject,
  parseJson,
  parseTime,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { sentenceOf } from '../connection-error.ts';
import { Fields } from './fields.ts';
import { KubeconfigError, type ClusterEntry, type ExecEntry } from './kubeconfig.ts';
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

interface AskedCluster {
  readonly cluster: ClusterEntry;
  /** PEM, wherever it came from. */
  readonly authority: string | undefined;
}

function questionFor(exec: ExecEntry, asked: AskedCluster): JsonObject {
  const cluster = exec.providesClusterInfo ? { cluster: clusterInfo(asked) } : {};
  return { kind: 'ExecCredential', apiVersion: exec.apiVersion, spec: { ...cluster, interactive: false } };
}

function clusterInfo({ cluster, authority }: AskedCluster): JsonObject {
  const { server, serverName, skipsVerification, proxy, disablesCompression, execConfig } = cluster;
  return {
    server,
    ...(serverName !== undefined && { 'tls-server-name': serverName }),
    ...(skipsVerification && { 'insecure-skip-tls-verify': true }),
    ...(authority !== undefined && { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
    ...(proxy !== undefined && { 'proxy-url': proxy }),
    ...(disablesCompression && { 'disable-compression': true }),
    config: execConfig ?? null,
  };
}

function credentialIn(output: string, { command, apiVersion }: ExecEntry): LoadedIdentity {
  const place = `the exec plugin ${command}`;
  const answer = parsed(output, place);
  if (!isJsonObject(answer) || answer['kind'] !== 'ExecCredential' || answer['apiVersion'] !== apiVersion) {
    throw new KubeconfigError(`${place} must answer with an ExecCredential of ${apiVersion}`);
  }
  const status = new Fields(answer['status'], `${place}: status`);
  const [token, certificate] = [status.text('token'), status.text('clientCertificateData')];
  const key = status.text('clientKeyData');
  if (token === undefined && certificate === undefined && key === undefined) {
    throw new KubeconfigError(`${place} gave neither a token nor a certificate`);
  }
  if ((certificate === undefined) !== (key === undefined)) {
    throw new KubeconfigError(`${place} gave only one of certificate and key`);
  }
  return {
    identity: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(certificate !== undefined && { certificate }),
      ...(key !== undefined && { key }),
    },
    ...expiryIn(status),
  };
}

function parsed(output: string, place: string): JsonValue {
  try {
    return parseJson(output).value;
  } catch (error) {
    throw new KubeconfigError(`${place} did not answer in JSON: ${sentenceOf(error)}`, { cause: error });
  }
}

function expiryIn(status: Fields): Pick<LoadedIdentity, 'staleAt'> {
  const text = status.text('expirationTimestamp');
  if (text === undefined) return {};
  try {
    return { staleAt: parseTime(text).epochSeconds * 1000 };
  } catch {
    throw status.wrong('expirationTimestamp', `is no time: ${text}`);
  }
}
