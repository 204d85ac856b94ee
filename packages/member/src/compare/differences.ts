import type { PatchDetail } from '@flotilla/api';
import { goPrint, type KubeObject } from '@flotilla/kube';
import { comparableOf } from './comparable.ts';
import { jsonDifferences, type Difference } from './json-difference.ts';

/** A Work's status has room for so many differences of each object. */
const maxDifferences = 100;

const redacted = '(redacted for security reasons)';

/** What is said of an object that the member does not have at all. */
export const wholeObjectIsMissing: PatchDetail = { path: '/', valueInHub: '(the whole object)' };

/**
 * In which fields the member's object differs from the hub's: the manifest in a full comparison, or the result of a dry run
 * in a partial one. Fields that do not count (`comparableOf`) are left out; values of Secrets are not told.
 */
export function differencesBetween(hub: KubeObject, member: KubeObject): readonly PatchDetail[] {
  const details = jsonDifferences(comparableOf(hub), comparableOf(member), maxDifferences).map(detailOf);
  return hub.apiVersion === 'v1' && hub.kind === 'Secret' ? details.map(withoutSecrets) : details;
}

/** What KubeFleet finds on a member has taken a turn through doubles: 1000000 is told as `1e+06`. */
function detailOf(difference: Difference): PatchDetail {
  const valueInMember = 'member' in difference ? goPrint(difference.member, { doubles: true }) : '';
  const valueInHub = 'hub' in difference ? goPrint(difference.hub) : '';
  return {
    path: difference.path,
    ...(valueInMember !== '' && { valueInMember }),
    ...(valueInHub !== '' && { valueInHub }),
  };
}

function withoutSecrets(detail: PatchDetail): PatchDetail {
  if (!detail.path.startsWith('/data') && !detail.path.startsWith('/stringData')) return detail;
  return {
    path: detail.path,
    ...(detail.valueInMember !== undefined && { valueInMember: redacted }),
    ...(detail.valueInHub !== undefined && { valueInHub: redacted }),
  };
}
