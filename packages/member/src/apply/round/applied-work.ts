import { appliedWorks, type AppliedResource, type AppliedWork, type Work } from '@flotilla/api';
import { apiVersionOf, jsonEquals } from '@flotilla/kube';
import { isApplied, type Outcome } from '../manifest/outcome.ts';

/** The AppliedWork of a Work that has none yet. Its spec is never written again. */
export function newAppliedWork({ metadata }: Work): AppliedWork {
  const { name = '', namespace = '' } = metadata;
  return {
    apiVersion: apiVersionOf(appliedWorks),
    kind: appliedWorks.kind,
    metadata: { name },
    spec: { workName: name, workNamespace: namespace },
  };
}

/** The AppliedWork with a status that names all that is applied; undefined when it says so already. */
export function updatedAppliedWork(appliedWork: AppliedWork, outcomes: readonly Outcome[]): AppliedWork | undefined {
  const appliedResources = outcomes.filter(isApplied).map(appliedResource);
  const before = appliedWork.status?.appliedResources ?? [];
  if (jsonEquals(before, appliedResources)) return undefined;
  const { apiVersion, kind, metadata, spec } = appliedWork;
  return { apiVersion, kind, metadata, spec, status: appliedResources.length > 0 ? { appliedResources } : {} };
}

function appliedResource({ identifier, live }: Outcome): AppliedResource {
  const { uid = '' } = live?.metadata ?? {};
  return { ...identifier, ...(uid !== '' && { uid }) };
}
