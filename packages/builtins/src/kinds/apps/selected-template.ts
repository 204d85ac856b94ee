import {
  invalid,
  labelSelectorFrom,
  pushAll,
  required,
  validateLabelSelector,
  type FieldError,
  type LabelSelectorObject,
} from '@flotilla/kube';
import { internalSelector } from '../core-pods/internal/internal-form.ts';
import type { PodTemplateFields } from '../core-pods/pod-fields.ts';
import { checkPodTemplate, checkRunsForever, checkSelected, isEmptySelector } from '../core-pods/pod-validation/pod.ts';

interface SelectedTemplate {
  readonly selector?: LabelSelectorObject | null;
  readonly template: PodTemplateFields;
}

/**
 * The selector and template of a kind with replicas. `noun`: the kind's name in the message about an empty selector.
 */
export function checkSelectedTemplate(errors: FieldError[], spec: SelectedTemplate, noun: string): void {
  const { selector, template } = spec;
  const before = errors.length;
  if (!selector) errors.push(required('spec.selector'));
  pushAll(errors, validateLabelSelector(selector, 'spec.selector'));
  const isInvalid = selector && errors.length > before;
  if (selector && isEmptySelector(selector)) {
    const detail = `empty selector is invalid for ${noun}`;
    errors.push(invalid('spec.selector', internalSelector(selector), detail));
  }
  if (isInvalid) {
    const detail = 'invalid label selector';
    return void errors.push(invalid('spec.selector', internalSelector(selector), detail));
  }
  // An absent selector matches nothing, not even the template.
  if (!selector || !isEmptySelector(selector))
    checkSelected(errors, 'spec.template', template, labelSelectorFrom(selector));
  checkPodTemplate(errors, 'spec.template', template);
  checkRunsForever(errors, 'spec.template', template, 'ReplicaSet');
}
