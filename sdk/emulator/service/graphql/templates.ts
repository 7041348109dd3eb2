import { newContainer } from "../state/container";
import { badRequest } from "../state/problem";
import type { Service } from "../state/service";
import type { CreateTemplate, Template } from "../state/templates";
import { checkDisk, containerOf, persistentMount, present, type SaveTemplateInput } from "./inputs";

/**
 * Overwrites the template with the given id, where what the input lacks gets its default; without an id, creates one.
 * (API: GraphQL, saveTemplate)
 */
export function saveTemplate(service: Service, input: SaveTemplateInput): Template {
  if (input.isServerless && input.volumeInGb !== 0)
    throw badRequest("volumeInGb must be 0 for serverless templates");
  if (input.name.trim() === "") throw badRequest("name must not be empty");
  checkDisk(input);
  const container = containerOf(input);
  if (!container.image) throw badRequest("imageName is required");
  const template: CreateTemplate = {
    ...newContainer(container),
    image: container.image,
    name: input.name,
    mounts: persistentMount(input),
    serverless: input.isServerless ?? false,
    public: input.isPublic ?? false,
    startSsh: input.startSsh ?? true,
    startJupyter: input.startJupyter ?? true,
    category: input.category === "GPU" ? "NVIDIA" : (input.category ?? "NVIDIA"),
    allowedCudaVersions: [],
    readme: input.readme ?? "",
    advancedStart: input.advancedStart ?? false,
    startScript: input.startScript ?? "",
    portsConfig: present(input.portsConfig) ?? [],
  };
  return input.id ? service.templates.update(input.id, template) : service.templates.create(template);
}
