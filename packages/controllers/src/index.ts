export { keptOwners } from './clusters/kept-owners.ts';
export { refusedReport } from './clusters/report-guard.ts';
export { bindingOfMemberIn, isMember, refusedWorkChange } from './clusters/work-guard.ts';
export { hubRules } from './hub-role.ts';
export {
  startHubControllers,
  type HubControllers,
  type HubControllersOptions,
  type HubSettings,
} from './start-hub-controllers.ts';
