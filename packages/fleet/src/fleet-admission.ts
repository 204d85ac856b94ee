/** The fleet's checks, as steps of a server's admission. What they decide stands beside the stages that it concerns. */
import { forbidden, namespacedObject, type Admission, type Attributes } from '@flotilla/apiserver';
import { works } from '@flotilla/api';
import { bindingOfMemberIn, isMember, refusedWorkChange, roleBindings, type RoleBinding } from '@flotilla/controllers';
import { qualified } from '@flotilla/kube';
import { hubUser } from './furnish-hub.ts';

/** Members may update their Works for the sake of one finalizer; RBAC alone cannot say so. */
const memberWorks: Admission = {
  name: 'MemberWorks',
  validate: (attributes) => {
    const { operation, resource, subresource, object, oldObject } = attributes;
    const isWork = resource.plural === works.plural && resource.group === works.group;
    if (!isWork || operation !== 'UPDATE' || subresource !== '' || !object || !oldObject) return;
    if (!isByMember(attributes)) return;
    const refusal = refusedWorkChange(oldObject, object);
    if (refusal !== undefined) throw forbidden(attributes, refusal);
  },
};

function isByMember({ namespace, user, server }: Attributes): boolean {
  // A member may be a group, and the hub be in it.
  if (user.name === hubUser.name || user.groups.includes('system:masters')) return false;
  const key = bindingOfMemberIn(namespace);
  if (key?.namespace === undefined) return false;
  const collection = qualified(roleBindings.plural, roleBindings.group);
  const binding = namespacedObject(server, collection, key.namespace, key.name);
  return binding !== undefined && isMember(binding as RoleBinding, user);
}

export const fleetAdmission: readonly Admission[] = [memberWorks];
