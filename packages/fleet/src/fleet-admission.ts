/** The fleet's admission plugins. The checks themselves are in the folders of the controllers that rely on them. */
import { forbidden, namespacedObject, type Admission, type Attributes } from '@flotilla/apiserver';
import { internalMemberClusters, works } from '@flotilla/api';
import { bindingOfMemberIn, isMember, keptOwners, refusedReport, refusedWorkChange } from '@flotilla/controllers';
import { isMaster, qualified, roleBindings, type Kind, type RoleBinding } from '@flotilla/kube';
import { hubUser } from './install-hub.ts';
import { placementAdmission } from './placement-admission.ts';

/** Members may update one finalizer of their Works. RBAC cannot restrict an update to a field. */
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

/** Limits the size of what members report. */
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

/** Members cannot change entries of other field managers. Reads the RoleBinding only for a write that tries to. */
function keepOwners(attributes: Attributes): void {
  const { subresource, object, oldObject } = attributes;
  if (!object || !oldObject) return;
  const owners = keptOwners(oldObject.metadata.managedFields ?? [], object.metadata.managedFields ?? [], subresource);
  if (owners !== undefined && isByMember(attributes)) object.metadata.managedFields = owners;
}

function isByMember({ namespace, user, server }: Attributes): boolean {
  // A member may be a group that the hub's user is in.
  if (user.name === hubUser.name || isMaster(user)) return false;
  const key = bindingOfMemberIn(namespace);
  if (key?.namespace === undefined) return false;
  const collection = qualified(roleBindings.plural, roleBindings.group);
  const binding = namespacedObject(server, collection, key.namespace, key.name);
  return binding !== undefined && isMember(binding as RoleBinding, user);
}

export const fleetAdmission: readonly Admission[] = [memberWorks, memberReports, ...placementAdmission];
