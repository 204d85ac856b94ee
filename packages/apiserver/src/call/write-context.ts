import type { WriteContext } from '@flotilla/builtins';
import { checkExpressions } from '../admission/policies/policy-compiler.ts';
import { deviceSelectorFault } from '../resources/device-selector.ts';
import { userOf } from '../request/caller.ts';
import type { Call } from './call.ts';

export function writeContext(call: Call, now: Date): WriteContext {
  const { name, groups, uid, extra } = userOf(call);
  return {
    now,
    user: name,
    groups,
    uid,
    extra,
    retry: call.retry,
    warn: (sentence) => call.warnings.push(sentence),
    checkDeviceSelector: deviceSelectorFault,
    checkExpressions,
  };
}
