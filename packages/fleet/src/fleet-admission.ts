/** The fleet's checks, as steps of a server's admission. What they decide stands beside the stages that it concerns. */
import { forbidden, namespacedObject, type Admission, type Attributes } from '@flotilla/apiserver';
import { internalMemberClusters, works } from '@flotilla/api';
import { bindingOfMemberIn, isMember, keptOwners, refusedReport, refusedWorkChange } from '@flotilla/controllers';
import { isMaster, qualified, roleBindings, type Kind, type RoleBinding } from '@flotilla/kube';
import { hubUser } from './install-hub.ts';

/** Members may update their Works for the sake of one finalizer; RBAC alone cannot say so. */
const memberWorks: Admission = {
  name: 'MemberWorks',
  admit: (attributes) => {
    if (isUpdateOf(works, attributes)) keepOwners(attributes);
  },
  validate: (attributes) => {
    const { subresource, object, oldObject } = attributes;
    if (!isUpdateOf(works, attributes) || subresource !== '' || !object || !oldObject) return;
    if (!isByMember(attributes)) return;
    const refusal = refusedWorkChange(oldObject, object);
    if (refusal !== undefined) throw forbidden(attributes, refusal);
  },
};

/** Members report about themselves, and not without end. */
const memberReports: Admission = {
  name: 'MemberReports',
  admit: (attributes) => {
    if (isUpdateOf(internalMemberClusters, attributes)) keepOwners(attributes);
  },
  validate: (attributes) => {
    if (!isUpdateOf(internalMemberClusters, attributes)) return;
    const refusal = refusedReport(attributes.object?.['status']);
    if (refusal !== undefined && isByMember(attributes)) throw forbidden(attributes, refusal);
  },
};

function isUpdateOf({ plural, group }: Kind, { operation, resource }: Attributes): boolean {
  return operation === 'UPDATE' && resource.plural === plural && resource.group === group;
}

/** Members cannot change the managers of others' fields. Ordinary writes do not, and cost no look at the RoleBinding. */
function keepOwners(attributes: Attributes): void {
  const { subresource, object, oldObject } = attributes;
  if (!object || !oldObject) return;
  const owners = keptOwners(oldObject.metadata.managedFields ?? [], object.metadata.managedFields ?? [], subresource);
  if (owners !== undefined && isByMember(attributes)) object.metadata.managedFields = owners;
}

function isByMember({ namespace, user, server }: Attributes): boolean {
  // A member may be a group, and the hub be in it.
  if (user.name === hubUser.name || isMaster(user)) return false;
  const key = bindingOfMemberIn(namespace);
  if (key?.namespace === undefined) return false;
  const collection = qualified(roleBindings.plural, roleBindings.group);
  const binding = namespacedObject(server, collection, key.namespace, key.name);
  return binding !== undefined && isMember(binding as RoleBinding, user);
}

export const fleetAdmission: readonly Admission[] = [memberWorks, memberReports];
