/**
 * Runs exec plugins (client.authentication.k8s.io). The request is an environment variable, the response is on
 * stdout.
 */
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
import { messageOf } from '../connection-error.ts';
import { Fields } from './fields.ts';
import { KubeconfigError, type ClusterEntry, type ExecEntry } from './kubeconfig.ts';
import type { Environment } from './load-kubeconfig.ts';
import type { LoadedIdentity } from './rotating-credentials.ts';

interface PluginDependencies extends ExecCluster {
  readonly environment: Environment;
  readonly clock: Clock;
}

/** The plugin has no terminal, so a longer run probably waits for input. */
const maxRunMs = 60_000;
const maxOutputBytes = 1024 * 1024;

export async function runExecPlugin(exec: ExecEntry, dependencies: PluginDependencies): Promise<LoadedIdentity> {
  const output = await outputOf(exec, dependencies);
  return parseExecCredential(decodeUtf8(output), exec);
}

function outputOf(exec: ExecEntry, dependencies: PluginDependencies): Promise<Uint8Array> {
  const { command, args, env } = exec;
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown): void =>
      reject(new KubeconfigError(`the exec plugin ${command} ${why}`, { cause }));
    const child = spawn(command, args, {
      env: {
        ...dependencies.environment,
        ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: stringifyJson(execInfo(exec, dependencies)),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const cancel = dependencies.clock.after(maxRunMs, () => {
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

interface ExecCluster {
  readonly cluster: ClusterEntry;
  /** PEM, from a file or from the kubeconfig. */
  readonly authority: string | undefined;
}

function execInfo(exec: ExecEntry, asked: ExecCluster): JsonObject {
  const cluster = exec.providesClusterInfo ? { cluster: clusterInfo(asked) } : {};
  return { kind: 'ExecCredential', apiVersion: exec.apiVersion, spec: { ...cluster, interactive: false } };
}

function clusterInfo({ cluster, authority }: ExecCluster): JsonObject {
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

function parseExecCredential(output: string, { command, apiVersion }: ExecEntry): LoadedIdentity {
  const place = `the exec plugin ${command}`;
  const answer = parsed(output, place);
  if (!isJsonObject(answer) || answer['kind'] !== 'ExecCredential' || answer['apiVersion'] !== apiVersion) {
    throw new KubeconfigError(`${place} must print an ExecCredential of ${apiVersion}`);
  }
  const status = new Fields(answer['status'], `${place}: status`);
  const [token, certificate] = [status.text('token'), status.text('clientCertificateData')];
  const key = status.text('clientKeyData');
  if (token === undefined && certificate === undefined && key === undefined) {
    throw new KubeconfigError(`${place} returned neither a token nor a certificate`);
  }
  if ((certificate === undefined) !== (key === undefined)) {
    throw new KubeconfigError(`${place} returned only one of certificate and key`);
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
    throw new KubeconfigError(`${place} did not print JSON: ${messageOf(error)}`, { cause: error });
  }
}

function expiryIn(status: Fields): Pick<LoadedIdentity, 'staleAt'> {
  const text = status.text('expirationTimestamp');
  if (text === undefined) return {};
  try {
    return { staleAt: parseTime(text).epochSeconds * 1000 };
  } catch {
    throw status.wrong('expirationTimestamp', `is not a time: ${text}`);
  }
}
