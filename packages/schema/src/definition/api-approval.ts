/** Groups of the Kubernetes project: definitions there need an annotation with their approval. */
import { goUrlError, invalid, quote, required, type FieldError, type ObjectMeta } from '@flotilla/kube';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';

const approvalAnnotation = 'api-approved.kubernetes.io';
const policyHint = 'see https://github.com/kubernetes/enhancements/pull/1111';

export interface Approval {
  readonly state: 'approved' | 'bypassed' | 'invalid' | 'missing';
  readonly message: string;
}

export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

export function approvalOf(metadata: ObjectMeta): Approval {
  const annotation = annotationOf(metadata);
  const rule = `protected groups must have approval annotation ${quote(approvalAnnotation)}`;
  if (annotation === '') return { state: 'missing', message: `${rule}, ${policyHint}` };
  if (annotation.startsWith('unapproved')) {
    return { state: 'bypassed', message: `not approved: ${quote(annotation)}` };
  }
  if (isUrlWithHost(annotation)) return { state: 'approved', message: `approved in ${annotation}` };
  return {
    state: 'invalid',
    message: `${rule} with either a URL or a reason starting with "unapproved", ${policyHint}`,
  };
}

/** Skips the check if the state of the approval did not change. */
export function validateApproval(
  { spec: { group }, metadata }: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  if (!isProtectedGroup(group)) return [];
  const { state, message } = approvalOf(metadata);
  if (old !== undefined && approvalOf(old.metadata).state === state) return [];
  const path = `metadata.annotations[${approvalAnnotation}]`;
  if (state === 'missing') return [required(path, message)];
  return state === 'invalid' ? [invalid(path, annotationOf(metadata), message)] : [];
}

function annotationOf({ annotations = {} }: ObjectMeta): string {
  return Object.hasOwn(annotations, approvalAnnotation) ? (annotations[approvalAnnotation] ?? '') : '';
}

const urlWithHost = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/?]*@)?[^/?@]/;

function isUrlWithHost(text: string): boolean {
  return urlWithHost.test(text) && goUrlError(text) === undefined;
}
