import type { PatchDetail } from '@flotilla/api';
import { goPrint, type JsonValue, type KubeObject } from '@flotilla/kube';
import { comparableOf } from './comparable.ts';
import { jsonDifferences, type Difference } from './json-difference.ts';

/** A Work's status has room for so many differences of each object. */
const maxDifferences = 100;

/** More text than a Work can hold: its status will be trimmed and loses all values, so that no more need be printed. */
const maxPrintedLength = 1_500_000;

/** What is said of an object that the member does not have at all. */
export const wholeObjectIsMissing: PatchDetail = { path: '/', valueInHub: '(the whole object)' };

/**
 * In which fields the member's object differs from the hub's: the manifest in a full comparison, or the result of a dry run
 * in a partial one. Fields that do not count (`comparableOf`) are left out; values of Secrets are not told.
 */
export function differencesBetween(hub: KubeObject, member: KubeObject): readonly PatchDetail[] {
  const isSecret = hub.apiVersion === 'v1' && hub.kind === 'Secret';
  let room = maxPrintedLength;
  return jsonDifferences(comparableOf(hub), comparableOf(member), maxDifferences).map((difference) => {
    const mayTell = !isSecret || !isSecretPath(difference.path);
    const detail = detailOf(difference, mayTell ? (room > 0 ? goPrint : omit) : redact);
    room -= (detail.valueInMember ?? '').length + (detail.valueInHub ?? '').length;
    return detail;
  });
}

type Print = (value: JsonValue, options?: { readonly doubles: boolean }) => string;

const redact: Print = (value) => (value === '' ? '' : '(redacted for security reasons)');
const omit: Print = (value) => (value === '' ? '' : '(omitted)');

/** What KubeFleet finds on a member has taken a turn through doubles: 1000000 is told as `1e+06`. */
function detailOf(difference: Difference, print: Print): PatchDetail {
  const valueInMember = 'member' in difference ? print(difference.member, { doubles: true }) : '';
  const valueInHub = 'hub' in difference ? print(difference.hub) : '';
  return {
    path: difference.path,
    ...(valueInMember !== '' && { valueInMember }),
    ...(valueInHub !== '' && { valueInHub }),
  };
}

function isSecretPath(path: string): boolean {
  return path.startsWith('/data') || path.startsWith('/stringData');
}
