import type { Kind } from '@flotilla/kube';

const registration = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;

export const mutatingConfigurations: Kind = {
  ...registration,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
};

export const validatingConfigurations: Kind = {
  ...registration,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
};
