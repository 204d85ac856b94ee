/** CPU that ten policies which match add to a create. Two servers in this process take turns, one of them without policies. */
import { bootstrap, createApiServer, openEngine, type ApiServer } from '@flotilla/apiserver';
import { administrator, type JsonObject } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import { collectionPath, configMap, namespace } from '../load/config-map.ts';
import type { Measurement } from '../results/measurement.ts';
import { median } from '../results/percentiles.ts';

const rounds = 15;
const createsPerRound = 1000;
const barUs = 30;
const registration = '/apis/admissionregistration.k8s.io/v1';

/** What policies in the field check, with a variable, a condition, a parameter and the namespace among them. */
const policies: readonly JsonObject[] = [
  { validations: [{ expression: "object.metadata.name.startsWith('object')" }] },
  { validations: [{ expression: "!has(object.metadata.labels) || !('forbidden' in object.metadata.labels)" }] },
  { validations: [{ expression: 'size(object.data) < 100', message: 'too many keys' }] },
  {
    validations: [{ expression: "request.namespace != 'kube-system' || 'system:masters' in request.userInfo.groups" }],
  },
  {
    matchConditions: [{ name: 'not-nodes', expression: "!('system:nodes' in request.userInfo.groups)" }],
    validations: [{ expression: 'object.data.all(key, size(key) < 64)' }],
  },
  {
    variables: [{ name: 'keys', expression: 'object.data.map(key, key)' }],
    validations: [{ expression: 'variables.keys.size() > 0' }, { expression: "!('password' in variables.keys)" }],
  },
  {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    validations: [{ expression: 'size(object.data) <= int(params.data.max)' }],
  },
  {
    validations: [
      { expression: "!has(namespaceObject.metadata.labels) || !('frozen' in namespaceObject.metadata.labels)" },
    ],
  },
  { validations: [{ expression: "request.operation == 'CREATE' || object.metadata.name == oldObject.metadata.name" }] },
  { validations: [{ expression: "object.kind == 'ConfigMap' && !request.dryRun" }] },
];

const engine = await openEngine({ memory: true }, { clock: systemClock });
const plain = await server('plain');
const guarded = await server('guarded');
await post(guarded, collectionPath, JSON.stringify({ metadata: { name: 'limits' }, data: { max: '100' } }));
for (const [index, spec] of policies.entries()) await enforce(guarded, `policy-${index}`, spec);

const costs = { plain: [] as number[], guarded: [] as number[] };
for (let round = -3; round < rounds; round++) {
  const [without, within] = [await cpuOfCreates(plain, round), await cpuOfCreates(guarded, round)];
  if (round < 0) continue;
  costs.plain.push(without);
  costs.guarded.push(within);
}
const added = median(costs.guarded.map((cost, index) => cost - (costs.plain[index] ?? 0)));
const measurement: Measurement = {
  figure: 'policies',
  what: 'CPU that ten policies add to a create',
  value: added,
  unit: 'µs',
  bar: { atMost: barUs },
};
process.send?.(measurement);
await engine.close();

async function server(name: string): Promise<ApiServer> {
  const api = createApiServer({ store: engine.store(name), clock: systemClock });
  await bootstrap(api, 6443);
  await post(api, '/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }));
  return api;
}

async function enforce(api: ApiServer, name: string, spec: JsonObject): Promise<void> {
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  const policy = { metadata: { name }, spec: { matchConstraints: { resourceRules }, ...spec } };
  const paramRef = { name: 'limits', parameterNotFoundAction: 'Deny' };
  const binding = { policyName: name, validationActions: ['Deny'], ...('paramKind' in spec && { paramRef }) };
  await post(api, `${registration}/validatingadmissionpolicies`, JSON.stringify(policy));
  await post(
    api,
    `${registration}/validatingadmissionpolicybindings`,
    JSON.stringify({ metadata: { name }, spec: binding }),
  );
}

/** µs for each. */
async function cpuOfCreates(api: ApiServer, round: number): Promise<number> {
  const bodies = Array.from({ length: createsPerRound }, (_, index) =>
    configMap(`object-${round + 3}-${index}`, index),
  );
  const start = process.threadCpuUsage();
  for (const body of bodies) await post(api, collectionPath, body);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / createsPerRound;
}

async function post({ handle }: ApiServer, path: string, body: string | Uint8Array): Promise<void> {
  const { status } = await handle({
    method: 'POST',
    path,
    query: '',
    headers: { 'content-type': 'application/json' },
    user: administrator,
    body: () => Promise.resolve(Buffer.from(body)),
    signal: new AbortController().signal,
  });
  if (status !== 201) throw new Error(`${path}: ${status}`);
}
