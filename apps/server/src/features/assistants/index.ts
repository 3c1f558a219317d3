export { registerAssistants } from './assistants.routes.ts';
