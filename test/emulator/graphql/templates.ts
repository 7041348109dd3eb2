import { badRequest } from "../state/problem";
import type { Service } from "../state/service";
import type { CreateTemplate, Template } from "../state/templates";
import { checkDisk, containerOf, persistentMount, present, type SaveTemplateInput } from "./inputs";

/** Updates the template with the given id; without an id, creates one. (API: GraphQL, saveTemplate) */
export function saveTemplate(service: Service, input: SaveTemplateInput): Template {
  // (API: GraphQL, saveTemplate)
  if (input.isServerless && input.volumeInGb !== 0)
    throw badRequest("volumeInGb must be 0 for serverless templates");
  if (input.name.trim() === "") throw badRequest("name must not be empty");
  checkDisk(input);
  const container = containerOf(input);
  if (!container.image) throw badRequest("imageName is required");
  const template: CreateTemplate = {
    ...container,
    image: container.image,
    name: input.name,
    mounts: persistentMount(input),
    serverless: input.isServerless ?? undefined,
    public: input.isPublic ?? undefined,
    startSsh: input.startSsh ?? undefined,
    startJupyter: input.startJupyter ?? undefined,
    category: input.category === "GPU" ? "NVIDIA" : (input.category ?? undefined),
    readme: input.readme ?? undefined,
    advancedStart: input.advancedStart ?? undefined,
    startScript: input.startScript ?? undefined,
    portsConfig: present(input.portsConfig),
  };
  return input.id ? service.templates.update(input.id, template) : service.templates.create(template);
}
