/** What a fleet must be after all faults have ended. */
import { memberClusters, memberNamespace, works, type Condition } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { apiVersionOf, deployments, type KubeObject } from '@flotilla/kube';
import { configMap, deployment } from '@flotilla/testkit';

const maxHeartbeatAgeMs = 120_000;

/** Places a ConfigMap and a Deployment of three pods on each member, or changes the image of what is placed. */
export async function placeWorks(hub: Client, members: readonly string[], name: string, image: string): Promise<void> {
  for (const member of members) {
    const metadata = { name, namespace: memberNamespace(member) };
    const manifests: KubeObject[] = [configMap(name), deployment(name, { replicas: 3, image })];
    const work = { apiVersion: apiVersionOf(works), kind: works.kind, metadata, spec: { workload: { manifests } } };
    await hub.apply(works, work, { fieldManager: 'soak', force: true });
  }
}

/** What the hub reports about members and Works that is not as it should be at this time. */
export async function problemsOnHub(hub: Client, now: number): Promise<string[]> {
  const problems: string[] = [];
  for (const { metadata, status } of (await hub.list(memberClusters)).items) {
    const [agent] = status?.agentStatus ?? [];
    problems.push(...untrue(`${metadata.name}`, status?.conditions, 'Joined', metadata.generation));
    problems.push(...untrue(`the agent of ${metadata.name}`, agent?.conditions, 'Healthy'));
    const age = now - Date.parse(agent?.lastReceivedHeartbeat ?? '');
    if (!(Math.abs(age) < maxHeartbeatAgeMs)) problems.push(`${metadata.name}: last heartbeat ${age} ms ago`);
  }
  for (const { metadata, status } of (await hub.list(works)).items) {
    const what = `Work ${metadata.namespace}/${metadata.name}`;
    for (const type of ['Applied', 'Available']) {
      problems.push(...untrue(what, status?.conditions, type, metadata.generation));
    }
  }
  return problems;
}

interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
  readonly conditions?: readonly Condition[];
}

/** Deployments of a member that are not rolled out. */
export async function problemsOnMember(member: Client, name: string): Promise<string[]> {
  const { items } = await member.list(deployments, { namespace: 'default' });
  return items.flatMap((object) => {
    const what = `Deployment ${object.metadata.name} of ${name}`;
    const { spec, status } = object as { spec?: { replicas?: number }; status?: DeploymentStatus };
    const wanted = spec?.replicas ?? 1;
    const { observedGeneration, replicas, updatedReplicas, availableReplicas, conditions } = status ?? {};
    const isRolledOut = [replicas, updatedReplicas, availableReplicas].every((count) => count === wanted);
    return [
      ...untrue(what, conditions, 'Available'),
      ...(isRolledOut && observedGeneration === object.metadata.generation
        ? []
        : [`${what}: ${replicas} replicas, ${updatedReplicas} updated, ${availableReplicas} available of ${wanted}`]),
    ];
  });
}

/** Objects that a server stores, by its metrics. */
export async function objectCounts(server: Client): Promise<{ readonly all: number; readonly events: number }> {
  const { body } = await server.request({ method: 'GET', path: '/metrics' });
  const counts = Buffer.from(body)
    .toString()
    .matchAll(/^apiserver_storage_objects\{resource="([^"]*)"\} (\d+)/gm)
    .map(([, resource, count]) => ({ resource, count: Number(count) }))
    .toArray();
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  return { all, events: counts.find(({ resource }) => resource === 'events')?.count ?? 0 };
}

function untrue(
  what: string,
  conditions: readonly Condition[] | undefined,
  type: string,
  generation?: number,
): string[] {
  const found = conditions?.find((condition) => condition.type === type);
  const isCurrent = generation === undefined || found?.observedGeneration === generation;
  return found?.status === 'True' && isCurrent ? [] : [`${what}: ${type} is ${found?.status}, ${found?.message}`];
}
