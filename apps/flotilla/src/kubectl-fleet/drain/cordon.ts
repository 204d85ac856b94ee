/** A cluster with this taint gets no new placements. The taint is that of KubeFleet's plugin. */
import { memberClusters, type MemberCluster, type Taint } from '@flotilla/api';
import { changeObject } from '../change-object.ts';
import type { Session } from '../../session/session.ts';

const cordonTaint: Taint = { key: 'cordon-key', value: 'cordon-value', effect: 'NoSchedule' };

export async function cordon(session: Session, cluster: string): Promise<void> {
  await changeTaints(session, cluster, (taints) => (taints.some(isCordon) ? taints : [...taints, cordonTaint]));
}

export async function uncordon(session: Session, cluster: string): Promise<void> {
  await changeTaints(session, cluster, (taints) => taints.filter((taint) => !isCordon(taint)));
}

function isCordon({ key, value = '', effect }: Taint): boolean {
  return key === cordonTaint.key && value === cordonTaint.value && effect === cordonTaint.effect;
}

async function changeTaints(
  session: Session,
  cluster: string,
  change: (taints: readonly Taint[]) => readonly Taint[],
): Promise<void> {
  await changeObject(session, memberClusters, { name: cluster }, ({ spec }: MemberCluster) => {
    const before = spec.taints ?? [];
    const after = change(before);
    return after.length === before.length ? undefined : { spec: { taints: [...after] } };
  });
}
