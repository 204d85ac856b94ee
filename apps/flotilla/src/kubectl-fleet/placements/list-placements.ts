import { families } from '@flotilla/api';
import type { NamespaceFlag, OutputFlag } from '../../session/hub-flags.ts';
import { printList } from '../../terminal/print-list.ts';
import type { Column } from '../../terminal/table.ts';
import type { Session } from '../../session/session.ts';
import { placementRows, type PlacementRow } from '../../placement-view/cluster-state.ts';

export interface ListPlacementsFlags extends NamespaceFlag, OutputFlag {
  readonly cluster?: string;
}

const columns: readonly Column<PlacementRow>[] = [
  ['NAMESPACE', ({ namespace = '' }) => namespace],
  ['PLACEMENT', ({ name }) => name],
  ['CLUSTER', ({ cluster }) => cluster],
  ['SNAPSHOT', (row) => row.resourceSnapshotIndex],
  ['STATE', ({ state }) => state],
  ['MESSAGE', ({ message }) => message],
];

/** Lists the placements of both families cluster by cluster, or those of a namespace or a cluster. */
export async function listPlacements(
  session: Session,
  name: string | undefined,
  flags: ListPlacementsFlags,
): Promise<void> {
  const { hub, signal } = session;
  const { namespace, cluster } = flags;
  const listed = families.filter(({ scope }) => namespace === undefined || scope === 'Namespaced');
  const found = await Promise.all(
    listed.map(async (family) => {
      const { items } = await hub.list(family.placement, { signal, ...(namespace !== undefined && { namespace }) });
      return items.flatMap((placement) => placementRows(family, placement));
    }),
  );
  const rows = found
    .flat()
    .filter((row) => (name === undefined || row.name === name) && (cluster === undefined || row.cluster === cluster));
  printList(session, rows, columns, { ...flags, whenEmpty: 'No placements found.' });
}
