import type { KindBehavior } from '../../kind.ts';
import { certificateSigningRequestKind } from './certificate-signing-request.ts';

export const certificateKinds: readonly KindBehavior[] = [certificateSigningRequestKind];
