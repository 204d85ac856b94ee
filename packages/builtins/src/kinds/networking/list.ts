import type { KindBehavior } from '../../kind.ts';
import { ingressClassKind } from './ingress-class.ts';
import { ingressKind } from './ingress.ts';
import { ipAddressKind } from './ip-address.ts';
import { networkPolicyKind } from './network-policy.ts';
import { serviceCidrKind } from './service-cidr.ts';

export const networkingKinds: readonly KindBehavior[] = [
  ingressClassKind,
  ingressKind,
  ipAddressKind,
  networkPolicyKind,
  serviceCidrKind,
];
