import type { FieldError } from '@flotilla/kube';
import { checkRequiredChoice } from './checks.ts';

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

export function checkPullPolicy(errors: FieldError[], path: string, policy: string | undefined): void {
  checkRequiredChoice(errors, path, policy, pullPolicies);
}
