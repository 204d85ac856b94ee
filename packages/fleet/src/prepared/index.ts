/** An entry point of this package for the script that bundles the command. */
export { prepareHub } from './prepare-hub.ts';
export { preparedFiles } from './prepared-files.ts';
