import type { WriteContext } from '@flotilla/builtins';
import type { User } from '@flotilla/kube';
import type { Call } from './call.ts';

const nobody: User = { name: '', groups: [] };

export function userOf({ request }: Call): User {
  return request.user ?? nobody;
}

export function writeContext(call: Call, now: Date): WriteContext {
  const { name, groups, uid, extra } = userOf(call);
  return { now, user: name, groups, uid, extra, warn: (sentence) => call.warnings.push(sentence) };
}
