/** Reads of large objects and of many objects, in every response format. */
import type { HeavyRequest, Step } from '../heavy/heavy-requests.ts';
import { largeLedger, ledgerDefinition, ledgersPath } from './ledger.ts';

const namespace = 'stall-reads';
const json = 'application/json';
/** A ConfigMap may have at most 1 MiB. */
const configMapBytes = 1_000_000;
const largeCount = 10;
const smallCount = 2000;

/** `Accept` headers, by their name in the catalogue. */
const forms: Readonly<Record<string, string>> = {
  JSON: json,
  'pretty JSON': 'application/json;pretty=1',
  YAML: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  Table: 'application/json;as=Table;g=meta.k8s.io;v=v1',
};
const metadataForms: Readonly<Record<string, string>> = {
  metadata: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'metadata in protobuf': 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
};
const metadataListForms: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(metadataForms).map(([name, accept]) => [name, accept.replace(';as=PartialObjectMetadata', '$&List')]),
);

interface ReadKind {
  readonly name: string;
  readonly path: string;
  readonly hasProtobuf: boolean;
  readonly large: (name: string) => object;
}

const configMaps: ReadKind = {
  name: 'ConfigMaps',
  path: `/api/v1/namespaces/${namespace}/configmaps`,
  hasProtobuf: true,
  large: (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: longValues(configMapBytes) }),
};

const deployments: ReadKind = {
  name: 'Deployments',
  path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
  hasProtobuf: true,
  large: deployment,
};

const ledgers: ReadKind = {
  name: 'custom resources',
  path: ledgersPath(namespace),
  hasProtobuf: false,
  large: largeLedger,
};

function longValues(bytes: number): Record<string, string> {
  const line = 'seven ships wait in the harbour: "a calm wind", said the oldest, \\ and slept\n';
  const value = line.repeat(Math.floor(bytes / 40 / (line.length + 4)));
  return Object.fromEntries(Array.from({ length: 40 }, (_, number) => [`key-${number}`, value]));
}

function deployment(name: string): object {
  const env = Array.from({ length: 5000 }, (_, number) => ({
    name: `VARIABLE_${number}`,
    value: `${number} ${'x'.repeat(200)}`,
  }));
  const labels = { app: name };
  const spec = { containers: [{ name: 'ship', image: 'registry.example.com/ship:1', env }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

function smallConfigMap(name: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { size: 'small' } }, data: longValues(4000) };
}

function post(path: string, object: object): Step {
  return { method: 'POST', path, contentType: json, body: () => Buffer.from(JSON.stringify(object)) };
}

/** The objects to read. */
export const readSetup: readonly Step[] = [
  post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
  post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', ledgerDefinition),
  ...Array.from({ length: largeCount }, (_, number) => `large-${number}`).flatMap((name) =>
    [configMaps, deployments, ledgers].map(({ path, large }) => post(path, large(name))),
  ),
  ...Array.from({ length: smallCount }, (_, number) => post(configMaps.path, smallConfigMap(`small-${number}`))),
];

function readsOf(kind: ReadKind): HeavyRequest[] {
  const served = Object.entries(forms).filter(([name]) => kind.hasProtobuf || name !== 'protobuf');
  const initial = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const read = (name: string, path: string, accept: string): HeavyRequest => ({
    name,
    method: 'GET',
    path,
    accept,
    status: 200,
  });
  return [
    ...[...served, ...Object.entries(metadataForms)].map(([form, accept]) =>
      read(`get one of the large ${kind.name} as ${form}`, `${kind.path}/large-0`, accept),
    ),
    ...[...served, ...Object.entries(metadataListForms)].map(([form, accept]) =>
      read(`list ${kind.name} as ${form}`, kind.path, accept),
    ),
    ...[...served, ...Object.entries(metadataForms)]
      .filter(([form]) => form !== 'pretty JSON' && form !== 'YAML')
      .map(([form, accept]) => read(`watch ${kind.name} from the start as ${form}`, `${kind.path}?${initial}`, accept)),
  ];
}

export const heavyReads: readonly HeavyRequest[] = [
  ...[configMaps, deployments, ledgers].flatMap(readsOf),
  {
    name: 'list ConfigMaps as Table with objects',
    method: 'GET',
    path: `${configMaps.path}?includeObject=Object`,
    accept: forms['Table']!,
    status: 200,
  },
  ...[configMaps, deployments, ledgers].map(({ name, path }): HeavyRequest => ({
    name: `delete all ${name}`,
    method: 'DELETE',
    path,
    status: 200,
  })),
];
