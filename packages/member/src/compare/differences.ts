import type { PatchDetail } from '@flotilla/api';
import { goPrint, type JsonValue, type KubeObject } from '@flotilla/kube';
import { comparableOf } from './comparable.ts';
import { jsonDifferences, type Difference } from './json-difference.ts';

/** For each object, so that a Work's status has room for them. */
const maxDifferences = 100;

/** Above this, the status of a Work is trimmed and loses all values, so printing more is useless. */
const maxPrintedLength = 1_500_000;

/** The difference that is reported for an object that does not exist on the member. */
export const wholeObjectIsMissing: PatchDetail = { path: '/', valueInHub: '(the whole object)' };

/**
 * The fields in which the member's object differs from the hub's. `hub` is the manifest in a full comparison, and the result
 * of a dry run in a partial one. Ignores what `comparableOf` drops, and redacts values of Secrets.
 */
export function differencesBetween(hub: KubeObject, member: KubeObject): readonly PatchDetail[] {
  const isSecret = hub.apiVersion === 'v1' && hub.kind === 'Secret';
  let remaining = maxPrintedLength;
  return jsonDifferences(comparableOf(hub), comparableOf(member), maxDifferences).map((difference) => {
    const isRedacted = isSecret && isSecretPath(difference.path);
    const detail = detailOf(difference, isRedacted ? redact : remaining > 0 ? goPrint : omit);
    remaining -= (detail.valueInMember ?? '').length + (detail.valueInHub ?? '').length;
    return detail;
  });
}

type Print = (value: JsonValue, options?: { readonly doubles: boolean }) => string;

const redact: Print = (value) => (value === '' ? '' : '(redacted for security reasons)');
const omit: Print = (value) => (value === '' ? '' : '(omitted)');

/** KubeFleet decodes numbers of the member as doubles and prints 1000000 as `1e+06`. */
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
