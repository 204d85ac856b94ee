/** Restart policies: after a container terminates, and when its resources change. */
import { duplicate, invalid, notSupported, required, tooMany, type FieldError } from '@flotilla/kube';
import type { ContainerFields, RestartRuleFields } from '../container-fields.ts';
import { checkRequiredChoice, checkSupported } from './checks.ts';

const restartPolicies = ['Always', 'Never', 'OnFailure'];
const maxRules = 20;
const maxExitCodes = 255;

export function checkRestartPolicy(errors: FieldError[], path: string, container: ContainerFields): void {
  const { restartPolicy, restartPolicyRules = [] } = container;
  if (restartPolicy !== undefined) checkSupported(errors, `${path}.restartPolicy`, restartPolicy, restartPolicies);
  else if (restartPolicyRules.length > 0) errors.push(missingPolicy(path));
  if (restartPolicyRules.length > maxRules) {
    errors.push(tooMany(`${path}.restartPolicyRules`, restartPolicyRules.length, maxRules));
  }
  restartPolicyRules.forEach((rule, i) => checkRule(errors, `${path}.restartPolicyRules[${i}]`, rule));
}

/** The rules of an init container are validated only if it has a policy. */
export function checkInitRestartPolicy(errors: FieldError[], path: string, container: ContainerFields): void {
  if (container.restartPolicy !== undefined) checkRestartPolicy(errors, path, container);
  else if (container.restartPolicyRules?.length) errors.push(missingPolicy(path));
}

function missingPolicy(path: string): FieldError {
  return required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
}

function checkRule(errors: FieldError[], path: string, { action, exitCodes }: RestartRuleFields): void {
  checkSupported(errors, `${path}.action`, action, ['Restart', 'RestartAllContainers']);
  if (exitCodes === undefined) return void errors.push(required(`${path}.exitCodes`, 'must be specified'));
  checkSupported(errors, `${path}.exitCodes.operator`, exitCodes.operator, ['In', 'NotIn']);
  const count = exitCodes.values?.length ?? 0;
  if (count > maxExitCodes) errors.push(tooMany(`${path}.exitCodes.values`, count, maxExitCodes));
}

// Kubernetes' path is that of the list, not of the policy in it, except for duplicates.
export function checkResizePolicy(
  errors: FieldError[],
  path: string,
  policies: readonly { readonly resourceName: string; readonly restartPolicy: string }[],
  podRestartPolicy: string | undefined,
): void {
  const seen = new Set<string>();
  policies.forEach(({ resourceName, restartPolicy }, i) => {
    if (seen.has(resourceName)) errors.push(duplicate(`${path}[${i}]`, resourceName));
    seen.add(resourceName);
    checkRequiredChoice(errors, path, resourceName, ['cpu', 'memory']);
    checkRequiredChoice(errors, path, restartPolicy, ['NotRequired', 'RestartContainer']);
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      errors.push(invalid(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
  });
}

export function checkPodRestartPolicy(errors: FieldError[], path: string, policy: string | undefined): void {
  const supported = ['Always', 'OnFailure', 'Never'];
  if (!policy) errors.push(required(path));
  else if (!supported.includes(policy)) errors.push(notSupported(path, policy, supported));
}
