export { defaultLimits, type ApplierLimits, type ApplierOptions } from './apply/applier-options.ts';
export { startApplier, type Applier } from './apply/start-applier.ts';
