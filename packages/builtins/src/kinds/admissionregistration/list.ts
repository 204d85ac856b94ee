import type { KindBehavior } from '../../kind.ts';
import {
  mutatingAdmissionPolicyBindingKind,
  validatingAdmissionPolicyBindingKind,
} from './admission-policy-binding.ts';
import { mutatingAdmissionPolicyKind } from './mutating-admission-policy.ts';
import { validatingAdmissionPolicyKind } from './validating-admission-policy.ts';
import { mutatingWebhookConfigurationKind, validatingWebhookConfigurationKind } from './webhook-configuration.ts';

export const admissionregistrationKinds: readonly KindBehavior[] = [
  validatingWebhookConfigurationKind,
  mutatingWebhookConfigurationKind,
  validatingAdmissionPolicyKind,
  validatingAdmissionPolicyBindingKind,
  mutatingAdmissionPolicyKind,
  mutatingAdmissionPolicyBindingKind,
];
