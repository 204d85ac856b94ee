import { goJson } from '@flotilla/kube';
import type { Attributes } from '../../admission.ts';
import type { Binding } from '../active-policies.ts';
import type { Refusal } from './decide-validation.ts';

const failureKey = 'validation.policy.admission.k8s.io/validation_failure';
const maxValueBytes = 10 * 1024;

/** Collects what policies add to the audit event of one request. */
export class AuditAnnotations {
  readonly #audit: Attributes['audit'];
  readonly #values = new Map<string, Set<string>>();

  constructor(audit: Attributes['audit']) {
    this.#audit = audit;
  }

  /** Bindings with other parameters may give other values. Each is kept once. */
  add(policy: string, key: string, value: string): void {
    if (!this.#audit) return;
    const name = `${policy}/${key}`;
    const values = this.#values.get(name) ?? new Set();
    this.#values.set(name, values.add(cut(value)));
  }

  /** The first one of a request is kept. */
  addFailure(policy: string, { name, spec }: Binding, { index, message }: Refusal): void {
    if (!this.#audit) return;
    const { validationActions = [] } = spec;
    const failure = {
      message,
      policy,
      binding: name,
      expressionIndex: index,
      validationActions: [...validationActions],
    };
    this.#audit.annotate(failureKey, goJson([failure]));
  }

  publish(): void {
    for (const [name, values] of this.#values) this.#audit?.annotate(name, [...values].join(', '));
  }
}

function cut(value: string): string {
  const bytes = Buffer.from(value);
  return bytes.length <= maxValueBytes ? value : bytes.subarray(0, maxValueBytes).toString();
}
