import { agentStatus, propertyValue, resourceUsage } from '../cluster/reported-status.ts';
import { accessProvider } from '../multicluster/cluster-profile-schema.ts';
import { applyStrategy } from '../parts/apply-strategy.ts';
import { condition } from '../parts/condition.ts';
import { patchDetail } from '../parts/patch-detail.ts';
import { quantity } from '../parts/quantities.ts';
import { reportBackStrategy } from '../parts/report-back-strategy.ts';
import type { SharedTypes } from './field-rows.ts';

/** What several fields have in common: the reference describes it once. */
export const sharedTypes: SharedTypes = new Map([
  [accessProvider.json, 'AccessProvider'],
  [agentStatus.json, 'AgentStatus'],
  [applyStrategy.json, 'ApplyStrategy'],
  [condition.json, 'Condition'],
  [patchDetail.json, 'PatchDetail'],
  [propertyValue.json, 'PropertyValue'],
  [quantity.json, 'Quantity'],
  [reportBackStrategy.json, 'ReportBackStrategy'],
  [resourceUsage.json, 'ResourceUsage'],
]);
