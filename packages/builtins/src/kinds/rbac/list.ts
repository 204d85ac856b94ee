import type { KindBehavior } from '../../kind.ts';
import { clusterRoleKind } from './cluster-role.ts';
import { clusterRoleBindingKind, roleBindingKind } from './role-binding.ts';
import { roleKind } from './role.ts';

export const rbacKinds: readonly KindBehavior[] = [roleKind, clusterRoleKind, roleBindingKind, clusterRoleBindingKind];
