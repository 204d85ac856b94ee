import { required, type FieldError } from '@flotilla/kube';
import { internalSelector } from '../core-pods/internal-form.ts';
import type { LabelSelectorFields, PodTemplateFields } from '../core-pods/pod-fields.ts';
import { checkLabelSelector, isEmptySelector } from '../core-pods/pod-validation/label-selector.ts';
import { checkPodTemplate, checkRunsForever, checkSelected } from '../core-pods/pod-validation/pod-template.ts';
import { invalidStruct } from '../struct-error.ts';

interface SelectedTemplate {
  readonly selector?: LabelSelectorFields | null;
  readonly template: PodTemplateFields;
}

/** The selector and template of what replicates pods. `noun`: what the sentence about an empty selector calls it. */
export function checkSelectedTemplate(errors: FieldError[], spec: SelectedTemplate, noun: string): void {
  const { selector, template } = spec;
  const before = errors.length;
  if (!selector) errors.push(required('spec.selector'));
  checkLabelSelector(errors, 'spec.selector', selector);
  const isInvalid = selector && errors.length > before;
  if (selector && isEmptySelector(selector)) {
    const sentence = `empty selector is invalid for ${noun}`;
    errors.push(invalidStruct('spec.selector', internalSelector(selector), sentence));
  }
  if (isInvalid) {
    const sentence = 'invalid label selector';
    return void errors.push(invalidStruct('spec.selector', internalSelector(selector), sentence));
  }
  // Without a selector nothing is selected, not even the template.
  if (!selector || !isEmptySelector(selector)) checkSelected(errors, 'spec.template', template, selector);
  checkPodTemplate(errors, 'spec.template', template);
  checkRunsForever(errors, 'spec.template', template, 'ReplicaSet');
}
