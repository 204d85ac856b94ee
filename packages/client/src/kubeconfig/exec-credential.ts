/** What an exec plugin is asked and how it answers (client.authentication.k8s.io). */
import { isJsonObject, parseJson, parseTime, type JsonObject, type JsonValue } from '@flotilla/kube';
import { sentenceOf } from '../connection-error.ts';
import { Fields } from './fields.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import type { ClusterEntry, ExecEntry } from './kubeconfig.ts';
import type { LoadedIdentity } from './rotating-credentials.ts';

export interface AskedCluster {
  readonly cluster: ClusterEntry;
  /** PEM, wherever it came from. */
  readonly authority: string | undefined;
}

export function questionFor(exec: ExecEntry, asked: AskedCluster): JsonObject {
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

export function credentialIn(output: string, { command, apiVersion }: ExecEntry): LoadedIdentity {
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
