/** CPU of one authorization decision with 1,000 roles and 1,000 bindings besides the server's own. */
import { bootstrap, createApiServer, openEngine, type ApiServer } from '@flotilla/apiserver';
import { administrator, serviceAccountUser, type JsonObject, type User } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import type { Measurement } from '../results/measurement.ts';

const count = 1000;
const decisions = 200_000;
const barUs = 5;
const group = '/apis/rbac.authorization.k8s.io/v1';
const engine = await openEngine({ memory: true }, { clock: systemClock });
const api = createApiServer({ store: engine.store('bench'), clock: systemClock });
await bootstrap(api, 6443);
for (let index = 0; index < count; index++) await addRole(api, index);

const accounts = Array.from({ length: count }, (_, index) => accountOf(index));
const busy: User = { name: 'busy', groups: ['system:authenticated'] };
const refused: User = { name: 'nobody', groups: ['system:authenticated', 'a', 'b', 'c'] };

measure('allowed by a role in a namespace', (turn) => decide(accountAt(turn), 'get', `team-${turn % count}`), true);
measure('refused in a namespace', (turn) => decide(accountAt(turn), 'delete', `team-${turn % count}`), false);
measure('allowed to one with half of the roles', (turn) => decide(busy, `verb-${(turn * 2) % count}`, ''), true);
measure('refused to one with half of the roles', () => decide(busy, 'delete', ''), false);
measure('refused to one without roles', () => decide(refused, 'get', 'team-1'), false);
measure('a master', () => decide(administrator, 'get', 'team-1'), true);
await engine.close();

/** Odd roles are bound to a service account in a namespace of their own, even ones to a single user. */
async function addRole(server: ApiServer, index: number): Promise<void> {
  const name = `role-${index}`;
  const team = `team-${index}`;
  const isTeams = index % 2 === 1;
  const subject = isTeams ? { kind: 'ServiceAccount', name: 'robot', namespace: team } : { kind: 'User', name: 'busy' };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const binding = { metadata: { name }, roleRef, subjects: [subject] };
  await post(server, 'clusterroles', {
    metadata: { name },
    rules: rulesOf(index, isTeams ? ['get', 'list', 'watch'] : []),
  });
  if (isTeams) await post(server, '/api/v1/namespaces', { metadata: { name: team } });
  await post(server, isTeams ? `namespaces/${team}/rolebindings` : 'clusterrolebindings', binding);
}

/** Different for each role. */
function rulesOf(index: number, verbs: readonly string[]): JsonObject[] {
  const own = [...verbs, `verb-${index}`];
  return [
    { verbs: own, apiGroups: [''], resources: ['pods', 'configmaps', 'secrets'] },
    { verbs: own, apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'] },
  ];
}

async function post({ handle }: ApiServer, path: string, object: JsonObject): Promise<void> {
  const { status } = await handle({
    method: 'POST',
    path: path.startsWith('/') ? path : `${group}/${path}`,
    query: '',
    headers: { 'content-type': 'application/json' },
    user: administrator,
    body: () => Promise.resolve(Buffer.from(JSON.stringify(object))),
    signal: new AbortController().signal,
  });
  if (status !== 201) throw new Error(`${path}: ${status}`);
}

function accountOf(index: number): User {
  const namespace = `team-${index}`;
  return serviceAccountUser({ namespace, name: 'robot' });
}

function accountAt(turn: number): User {
  return accounts[turn % count] ?? refused;
}

function decide(user: User, verb: string, namespace: string): boolean {
  return api.parts.access.authorize({
    isResource: true,
    user,
    verb,
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace,
    name: 'web',
  }).isAllowed;
}

function measure(what: string, run: (turn: number) => boolean, expected: boolean): void {
  // Odd roles have namespaces.
  const turnAt = (index: number): number => index * 2 + 1;
  for (let index = 0; index < count * 5; index++) {
    if (run(turnAt(index)) !== expected) throw new Error(`${what}: the decision is wrong`);
  }
  // A decision is synchronous, so its cost is the CPU time of this thread, whatever else runs.
  const start = process.threadCpuUsage();
  for (let index = 0; index < decisions; index++) run(turnAt(index));
  const { user, system } = process.threadCpuUsage(start);
  const value = (user + system) / decisions;
  const measurement: Measurement = { figure: 'authorize', what, value, unit: 'µs', bar: { atMost: barUs } };
  process.send?.(measurement);
}
