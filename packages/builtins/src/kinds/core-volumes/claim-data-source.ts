import type { ClaimSpec, DataSource } from './claim-spec.ts';

/** Makes `dataSource` and the newer `dataSourceRef` say the same, as far as Kubernetes accepts what was sent. */
export function settleDataSources(spec: ClaimSpec, old: ClaimSpec | undefined): void {
  // A source in another namespace needs a feature that is off.
  if (spec.dataSourceRef?.namespace && old?.dataSourceRef === undefined) delete spec.dataSourceRef;
  const hadSource = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!hadSource && spec.dataSourceRef === undefined && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
  alignDataSources(spec);
}

function alignDataSources(spec: ClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) spec.dataSourceRef = copyOf(dataSource);
  if (dataSourceRef !== undefined && dataSource === undefined && !dataSourceRef.namespace) {
    spec.dataSource = copyOf(dataSourceRef);
  }
}

function isClaimOrSnapshot(source: DataSource | undefined): boolean {
  if (source === undefined) return false;
  if (!source.apiGroup) return source.kind === 'PersistentVolumeClaim';
  return source.apiGroup === 'snapshot.storage.k8s.io' && source.kind === 'VolumeSnapshot';
}

function copyOf({ apiGroup, kind, name }: DataSource): DataSource {
  return { apiGroup: apiGroup ?? null, kind, name };
}
