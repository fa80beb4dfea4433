// What is changed in the shading of three.js: shadows on thin sheets, and normals that lie.
import * as THREE from 'three';

// The place where a shadow is looked up is moved along the normal. On the back of a sheet that would be through it, into
// its own shadow: dots. Here it is moved towards the light. The light looks along the depth row of its matrix.
const kShadowNormal = /shadowWorldNormal \* directionalLightShadows\[ i \]\.shadowNormalBias/g;
const kTowardsLight = `shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias *
  (dot(shadowWorldNormal, vec3(directionalShadowMatrix[ i ][0].z, directionalShadowMatrix[ i ][1].z, directionalShadowMatrix[ i ][2].z)) > 0.0 ? -1.0 : 1.0)`;

// On meshes of slivers the mean normal of a vertex may point away from the face that is seen: black slits. It is bent
// back until it is at most 60° from the face.
const kBend = `#include <normal_fragment_maps>
  #ifndef FLAT_SHADED
  vec3 facing = normalize(cross(dFdx(vViewPosition), dFdy(vViewPosition)));
  float agreement = dot(normal, facing);
  if (agreement < 0.5) normal = normalize(normal + (0.5 - agreement) * 1.2 * facing);
  #endif`;

// Where a closed body is cut open one sees its inside. In one even shade that looks like the face of a cut through solid
// matter.
const kSection = 0.72; // of its colour
const kSolid = `if (!gl_FrontFacing) outgoingLight = ${kSection} * diffuseColor.rgb;
  #include <opaque_fragment>`;

export function patchMaterial(material: THREE.MeshStandardMaterial, isSolid = false): THREE.MeshStandardMaterial {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace('#include <shadowmap_vertex>',
      THREE.ShaderChunk.shadowmap_vertex.replace(kShadowNormal, kTowardsLight));
    shader.fragmentShader = shader.fragmentShader.replace('#include <normal_fragment_maps>', kBend);
    if (isSolid) shader.fragmentShader = shader.fragmentShader.replace('#include <opaque_fragment>', kSolid);
  };
  material.customProgramCacheKey = () => (isSolid ? 'solid' : 'plain');
  return material;
}
