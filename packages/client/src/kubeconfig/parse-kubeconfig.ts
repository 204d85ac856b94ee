import { dirname, resolve } from 'node:path';
import { JsonError, parseJson, parseYaml, YamlError, type JsonValue } from '@flotilla/kube';
import type { Impersonation } from '../client.ts';
import { Fields } from './fields.ts';
import {
  KubeconfigError,
  type ClusterEntry,
  type ContextEntry,
  type ExecEntry,
  type Kubeconfig,
  type Secret,
  type UserEntry,
} from './kubeconfig.ts';

/** Parses one file. Its relative paths start at its directory. */
export function parseKubeconfig(text: string, file: string): Kubeconfig {
  const fields = new Fields(parsed(text, file), file);
  const kind = fields.text('kind') ?? 'Config';
  if (kind !== 'Config') throw new KubeconfigError(`${file} is a ${kind}, not a kubeconfig`);
  const path = (relative: string): string => resolve(dirname(file), relative);
  return {
    currentContext: fields.text('current-context') ?? '',
    contexts: byName(fields, 'contexts', 'context', contextIn),
    clusters: byName(fields, 'clusters', 'cluster', (entry) => clusterIn(entry, path)),
    users: byName(fields, 'users', 'user', (entry) => userIn(entry, path)),
  };
}

type Path = (relative: string) => string;

function parsed(text: string, file: string): JsonValue {
  try {
    return parsedJson(text) ?? parseYaml(text).value;
  } catch (error) {
    if (error instanceof YamlError || error instanceof JsonError) {
      throw new KubeconfigError(`${file} cannot be read: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** JSON is YAML, but the JSON parser is faster, and programs often write JSON. */
function parsedJson(text: string): JsonValue | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return parseJson(text).value;
  } catch {
    return undefined;
  }
}

function byName<Entry>(
  fields: Fields,
  list: string,
  field: string,
  read: (entry: Fields) => Entry,
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const named of fields.each(list)) {
    const name = named.text('name');
    if (name === undefined) throw named.wrong('name', 'is missing');
    if (entries.has(name)) throw fields.wrong(list, `has two entries named "${name}"`);
    const entry = named.fields(field);
    if (entry === undefined) throw named.wrong(field, 'is missing');
    entries.set(name, read(entry));
  }
  return entries;
}

function contextIn(entry: Fields): ContextEntry {
  const namespace = entry.text('namespace');
  return {
    cluster: entry.text('cluster') ?? '',
    user: entry.text('user') ?? '',
    ...(namespace !== undefined && { namespace }),
  };
}

function clusterIn(entry: Fields, path: Path): ClusterEntry {
  const serverName = entry.text('tls-server-name');
  const proxy = entry.text('proxy-url');
  const execConfig = entry
    .each('extensions')
    .find((extension) => extension.text('name') === 'client.authentication.k8s.io/exec')
    ?.any('extension');
  return {
    server: entry.text('server') ?? '',
    skipsVerification: entry.flag('insecure-skip-tls-verify'),
    disablesCompression: entry.flag('disable-compression'),
    ...secretIn(entry, 'certificate-authority', 'authority', path),
    ...(serverName !== undefined && { serverName }),
    ...(proxy !== undefined && { proxy }),
    ...(execConfig !== undefined && { execConfig }),
  };
}

function userIn(entry: Fields, path: Path): UserEntry {
  if (entry.any('auth-provider') !== undefined) {
    throw entry.wrong('auth-provider', 'is no longer supported; use an exec plugin');
  }
  const [token, tokenFile] = [entry.text('token'), entry.text('tokenFile')];
  const [username, password] = [entry.text('username'), entry.text('password')];
  const exec = entry.fields('exec');
  const impersonate = impersonationIn(entry);
  return {
    ...secretIn(entry, 'client-certificate', 'certificate', path),
    ...secretIn(entry, 'client-key', 'key', path),
    ...(token !== undefined && { token }),
    ...(tokenFile !== undefined && { tokenFile: path(tokenFile) }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(impersonate !== undefined && { impersonate }),
    ...(exec !== undefined && { exec: execIn(exec, path) }),
  };
}

/** A secret is inline or in a file. Both is an error, as in kubectl. */
function secretIn<Name extends string>(
  entry: Fields,
  field: string,
  name: Name,
  path: Path,
): { readonly [N in Name]?: Secret } {
  const [file, data] = [entry.text(field), entry.text(`${field}-data`)];
  if (file !== undefined && data !== undefined) throw entry.wrong(field, `and ${field}-data are both given; leave one`);
  const secret = file === undefined ? decoded(entry, `${field}-data`, data) : { file: path(file) };
  return (secret === undefined ? {} : { [name]: secret }) as { readonly [N in Name]?: Secret };
}

function decoded(entry: Fields, field: string, data: string | undefined): Secret | undefined {
  if (data === undefined) return undefined;
  if (/[^A-Za-z0-9+/=\s]/.test(data)) throw entry.wrong(field, 'is not base64');
  return { text: Buffer.from(data, 'base64').toString('utf8') };
}

function impersonationIn(entry: Fields): Impersonation | undefined {
  const [user, uid, groups] = [entry.text('as'), entry.text('as-uid'), entry.texts('as-groups')];
  const extra = entry.textsByName('as-user-extra');
  if (user !== undefined) return { user, groups, extra, ...(uid !== undefined && { uid }) };
  if (uid === undefined && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw entry.wrong('as', 'is missing: a uid, groups or extra fields require a user');
}

const execVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

function execIn(entry: Fields, path: Path): ExecEntry {
  const [command, apiVersion, mode] = [entry.text('command'), entry.text('apiVersion'), entry.text('interactiveMode')];
  if (command === undefined) throw entry.wrong('command', 'is missing');
  if (apiVersion === undefined || !execVersions.includes(apiVersion)) {
    throw entry.wrong('apiVersion', `must be ${execVersions.join(' or ')}`);
  }
  if (mode === undefined && apiVersion === execVersions[0]) throw entry.wrong('interactiveMode', 'is missing');
  if (mode !== undefined && mode !== 'Never' && mode !== 'IfAvailable') {
    const problem = mode === 'Always' ? 'cannot be Always: there is no terminal' : 'must be Never or IfAvailable';
    throw entry.wrong('interactiveMode', problem);
  }
  return {
    apiVersion,
    // A name without a slash is looked up in PATH.
    command: command.includes('/') ? path(command) : command,
    args: entry.texts('args'),
    env: entry.each('env').map((variable) => ({
      name: variable.text('name') ?? '',
      value: variable.text('value') ?? '',
    })),
    providesClusterInfo: entry.flag('provideClusterInfo'),
    installHint: entry.text('installHint') ?? '',
  };
}
