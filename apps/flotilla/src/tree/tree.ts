import {
  memberNamespace,
  placementLabel,
  placementNamespaceLabel,
  works,
  type Binding,
  type ManifestCondition,
  type Work,
} from '@flotilla/api';
import type { ListOptions } from '@flotilla/client';
import { inParallel } from '@flotilla/timing';
import { openConditionOf } from '../placement-view/cluster-state.ts';
import { familyOf, findPlacement } from '../placement-view/find-placement.ts';
import { findProblem } from '../placement-view/workload-problem.ts';
import type { Session } from '../session/session.ts';
import { jsonText } from '../terminal/print-list.ts';
import { placementTree, type TreeObjects } from './placement-tree.ts';
import { treeLines } from './tree-lines.ts';

export interface TreeFlags {
  readonly namespace?: string;
  readonly output?: 'json';
}

/** Prints a placement and what has become of it, or only what is on one cluster. */
export async function showTree(
  session: Session,
  name: string,
  cluster: string | undefined,
  flags: TreeFlags,
): Promise<void> {
  const tree = placementTree(await readObjects(session, name, cluster, flags.namespace));
  session.print(flags.output === 'json' ? jsonText(tree) : treeLines(tree, session.terminal).join('\n'));
}

async function readObjects(
  session: Session,
  name: string,
  cluster: string | undefined,
  namespace: string | undefined,
): Promise<TreeObjects> {
  const { hub, signal } = session;
  const family = familyOf(namespace);
  const labelSelector = `${placementLabel}=${name}`;
  const own = { signal, labelSelector, ...(namespace !== undefined && { namespace }) };
  const ofPlacement =
    namespace === undefined ? `!${placementNamespaceLabel}` : `${placementNamespaceLabel}=${namespace}`;
  const onMember = cluster === undefined ? {} : { namespace: memberNamespace(cluster) };
  const [found, policySnapshots, resourceSnapshots, bindings, placed] = await Promise.all([
    findPlacement(session, name, namespace),
    hub.list(family.policySnapshot, { ...own, metadataOnly: true }),
    hub.list(family.resourceSnapshot, { ...own, metadataOnly: true }),
    hub.list(family.binding, own),
    readWorks(session, { labelSelector: `${labelSelector},${ofPlacement}`, ...onMember }),
  ]);
  const wanted = cluster === undefined ? bindings.items : bindings.items.filter(onCluster(cluster));
  return {
    ...found,
    policySnapshots: policySnapshots.items,
    resourceSnapshots: resourceSnapshots.items,
    bindings: wanted,
    works: placed,
    problems: await findProblems(session, wanted, placed),
  };
}

/** Members that are asked. A change that does not work does not work on all of them for the same reason. */
const maxAsked = 20;
const askedAtOnce = 4;

async function findProblems(
  session: Session,
  bindings: readonly Binding[],
  placed: readonly Work[],
): Promise<Map<ManifestCondition, string>> {
  const clusters = new Map(bindings.map(({ spec }) => [memberNamespace(spec.targetCluster), spec.targetCluster]));
  const waiting = placed.flatMap(({ metadata, status }) => {
    const cluster = clusters.get(metadata.namespace ?? '');
    const manifests = cluster === undefined ? [] : (status?.manifestConditions ?? []);
    return manifests
      .filter(({ conditions }) => openConditionOf(conditions)?.type === 'Available')
      .map((manifest) => ({ cluster: cluster ?? '', manifest }));
  });
  const asked = new Set(waiting.map(({ cluster }) => cluster).slice(0, maxAsked));
  const found = await inParallel(
    waiting.filter(({ cluster }) => asked.has(cluster)),
    askedAtOnce,
    async ({ cluster, manifest }) => [manifest, await findProblem(session, cluster, manifest.identifier)] as const,
  );
  return new Map(found.flatMap(([manifest, problem]) => (problem === undefined ? [] : [[manifest, problem]])));
}

/** Page by page, and without the manifests: Works of a thousand clusters are large. */
async function readWorks({ hub, signal }: Session, options: ListOptions): Promise<Work[]> {
  const found: Work[] = [];
  for await (const { spec: _, ...work } of hub.each(works, { ...options, signal })) found.push(work);
  return found;
}

function onCluster(cluster: string): (binding: { readonly spec: { readonly targetCluster: string } }) => boolean {
  return ({ spec }) => spec.targetCluster === cluster;
}
