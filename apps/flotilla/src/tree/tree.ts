import { memberNamespace, placementLabel, placementNamespaceLabel, works, type Work } from '@flotilla/api';
import type { ListOptions } from '@flotilla/client';
import { familyOf, findPlacement } from '../placement-view/find-placement.ts';
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
  };
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
