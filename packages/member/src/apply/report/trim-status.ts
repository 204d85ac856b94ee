import type { ManifestCondition, PatchDetail, WorkStatus } from '@flotilla/api';

/** A request may carry 1.5 MiB; this leaves room for what the server adds. */
export const maxWorkBytes = 1_415_578;

const omitted = '(omitted)';

/** The same status without its large parts: where something differs stays, what it is does not. */
export function trimmed(status: WorkStatus): WorkStatus {
  return { ...status, manifestConditions: (status.manifestConditions ?? []).map(trimmedManifest) };
}

function trimmedManifest(manifest: ManifestCondition): ManifestCondition {
  const { backReportedStatus: _, driftDetails, diffDetails, ...rest } = manifest;
  return {
    ...rest,
    ...(driftDetails && {
      driftDetails: { ...driftDetails, observedDrifts: summary(driftDetails.observedDrifts ?? []) },
    }),
    ...(diffDetails && { diffDetails: { ...diffDetails, observedDiffs: summary(diffDetails.observedDiffs ?? []) } }),
  };
}

function summary(details: readonly PatchDetail[]): PatchDetail[] {
  const [first] = details;
  if (first === undefined) return [];
  const path = details.length === 1 ? first.path : `${first.path} and ${details.length - 1} more path(s)`;
  return [{ path, valueInMember: omitted, valueInHub: omitted }];
}
